// Warehouse
